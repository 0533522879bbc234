/** The flags of `postern start`. */

import { configurationSchema } from "../configuration_schema.ts";
import { controlTokenForm, isControlToken } from "../control/control_token.ts";
import { readIpAddress } from "../runtime/trusted_proxies.ts";
import { applicationForms } from "./application.ts";
import { type ControlFlags, controlTokenVariable } from "./control.ts";
import { type Flags, oneOf, readFlags } from "./flags.ts";
import type { PlanFlags } from "./plan.ts";
import type { TlsFlags } from "./tls_files.ts";

/** As they were typed. */
export interface StartFlags extends PlanFlags, TlsFlags, ControlFlags {
  readonly "trust-proxy"?: string;
  readonly print?: string;
  readonly open?: true;
  readonly quiet?: true;
}

const algorithms = configurationSchema.properties?.["alg"]?.enum ?? [];

const table = {
  port: {
    value: "PORT",
    words: "Where to listen. Default: the issuer's port, or 9000; 0 takes a free one.",
    accepts: (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65535,
    expected: "a number from 0 to 65535",
  },
  host: { value: "HOST", words: "The address to listen on. Default: localhost, for this machine only." },
  "trust-proxy": {
    value: "ADDRESS",
    words:
      "Believe Forwarded or X-Forwarded-For of the proxy at this IP address, to count failed sign-ins for " +
      "each person's own address; several with commas.",
    accepts: (text: string) => text.split(",").every((each) => readIpAddress(each) !== undefined),
    expected: "an IP address, or several with commas",
  },
  issuer: { value: "URL", words: "What clients know this server as. Default: http://localhost:PORT." },
  "tls-cert": {
    value: "FILE",
    words: "Serve https with this certificate (PEM); the issuer is https://localhost:PORT by default then.",
  },
  "tls-key": { value: "FILE", words: "The private key of that certificate (PEM, without a passphrase)." },
  store: {
    value: "STORE",
    words: "memory, or sqlite:FILE to keep everything. Default: memory.",
    accepts: (text: string) => /^(memory|sqlite:.+)$/.test(text),
    expected: "memory or sqlite:FILE",
  },
  config: { value: "FILE", words: "Clients, people and more, as JSON. Flags win over it." },
  alg: {
    value: "ALG",
    words: `What signs tokens: ${algorithms.join(", ")}. Default: RS256.`,
    ...oneOf(algorithms),
  },
  login: {
    value: "HOW",
    words: "picker asks people; auto signs in and consents by itself, auto:bob as bob. Default: picker.",
    accepts: (text: string) => /^(picker|auto(:.+)?)$/.test(text),
    expected: "picker, auto or auto:person",
  },
  print: {
    value: "FORM",
    words: `What to paste into an application: ${applicationForms.join(", ")}. Default: env.`,
    ...oneOf(applicationForms),
  },
  open: { words: "Open the front page in the browser." },
  watch: { words: "Take over the configuration file whenever it changes." },
  control: {
    value: "[TOKEN]",
    optional: true,
    words: "Let tests in any language drive this server, below /_postern; with TOKEN, or the environment's " +
      `${controlTokenVariable}, only those that send it.`,
    accepts: isControlToken,
    expected: `a token of ${controlTokenForm}`,
    secret: true,
  },
  quiet: { words: "No line for each request." },
  "expose-demo": {
    words: "Let other machines in although demo clients, demo people or first use are on.",
  },
} as const;

export const startFlags: Flags = table;

export function readStartFlags(args: readonly string[]): StartFlags {
  return readFlags(args, table).flags;
}
