/** The licences of the packages that a bundle includes. Each copy of their code must have these. */

/** Takes the paths of the modules in a bundle. Resolves to one text about those that are of packages. */
export async function readNotices(modules: Iterable<string>): Promise<string> {
  const folders = new Map([...modules].flatMap((path) => {
    const [, folder, name] = /^(.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(path) ?? [];
    return folder === undefined ? [] : [[name!, folder]];
  }));
  const names = [...folders.keys()].toSorted();
  const notices = names.map(async (name) => `${name}\n\n${await readLicence(folders.get(name)!)}\n`);
  return `This has code of ${names.join(", ")}.\n\n${(await Promise.all(notices)).join("\n")}`;
}

async function readLicence(folder: string): Promise<string> {
  const file = [...Deno.readDirSync(folder)].find(({ name }) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return (await Deno.readTextFile(`${folder}/${file.name}`)).trim();
  const { license = "no licence" } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
  return `Its package has no file with its licence, and names it: ${license}`;
}
