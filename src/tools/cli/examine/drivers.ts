/** The drivers that `postern examine --init` writes: programs in their own languages that log in once. */

import { nameProgram } from "../terminal/program.ts";
import { writeForm } from "../forms/write_form.ts";
import { writeNewFile } from "../configuration/text_file.ts";
import authjs from "../forms/drivers/authjs.mjs" with { type: "text" };
import command from "../forms/drivers/command.sh" with { type: "text" };
import go from "../forms/drivers/go.go" with { type: "text" };
import java from "../forms/drivers/java.java" with { type: "text" };
import javaPom from "../forms/drivers/java_pom.xml" with { type: "text" };
import oauth4webapi from "../forms/drivers/oauth4webapi.mjs" with { type: "text" };
import openidClient from "../forms/drivers/openid_client.mjs" with { type: "text" };
import passport from "../forms/drivers/passport.mjs" with { type: "text" };
import python from "../forms/drivers/python.py" with { type: "text" };

/** The texts of its files by their names, what a shell runs once, and the command for the examination. */
type Driver = readonly [
  files: Readonly<Record<string, string>>,
  ...prepare: readonly string[],
  command: string,
];

const drivers: Readonly<Record<string, Driver>> = {
  "openid-client": [{ "driver.mjs": openidClient }, "npm install openid-client@6", "node driver.mjs"],
  oauth4webapi: [{ "driver.mjs": oauth4webapi }, "npm install oauth4webapi@3", "node driver.mjs"],
  passport: [{ "driver.mjs": passport }, "npm install passport-oauth2@1", "node driver.mjs"],
  authjs: [{ "driver.mjs": authjs }, "npm install @auth/core@0.41", "node driver.mjs"],
  go: [{ "driver.go": go }, "go mod init driver", "go mod tidy", "go build driver.go", "./driver"],
  python: [{ "driver.py": python }, "pip install authlib joserfc requests", "python3 driver.py"],
  java: [
    { "Driver.java": java, "driver_pom.xml": javaPom },
    "mvn -f driver_pom.xml dependency:copy-dependencies -DoutputDirectory=driver_lib",
    "javac -cp 'driver_lib/*' Driver.java",
    "java -cp 'driver_lib/*:.' Driver",
  ],
  command: [{ "driver.sh": command }, "sh driver.sh"],
};

export const driverNames: readonly string[] = Object.keys(drivers);

/** Writes the files of a driver into this folder. Resolves to what the user reads: their text, and how to run it. */
export async function writeDriver(name: string): Promise<string> {
  const [files, ...commands] = drivers[name]!;
  const steps = commands.with(-1, `${nameProgram()} examine --level must -- ${commands.at(-1)}`);
  const shown: string[] = [];
  for (const [file, form] of Object.entries(files)) {
    const text = writeForm(form, { STEPS: steps }).join("\n");
    await writeNewFile(file, `${text}\n`, "Use another folder, or rename it");
    shown.push(text, "");
  }
  shown.push(`${Object.keys(files).join(" and ")}: written. To examine the login, in a POSIX shell:`, "");
  return [...shown, ...steps.map((step) => `  ${step}`)].join("\n");
}
