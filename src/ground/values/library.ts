/** Loads an optional package when it is first needed: the client library of a store, and the SDK of agents. */

/** The packages and their versions. `scripts/compile.ts` replaces this module, so that an executable contains them. */
export const libraries = {
  postgres: "^3.4.9",
  ioredis: "^6.0.0",
  "@modelcontextprotocol/server": "^2.4.0",
} as const;

/** Deno fetches a package that is not installed. Rejects with a `TypeError` that says how to install it. */
export async function loadLibrary(name: keyof typeof libraries, part: "" | "/stdio" = ""): Promise<unknown> {
  // The specifiers are variables, because Deno fetches each package that a literal names before the program starts.
  const [installed, fetched]: readonly string[] = [name + part, `npm:${name}@${libraries[name]}${part}`];
  try {
    return await load(installed!);
  } catch (missing) {
    if (!isMissing(missing, name)) throw missing;
    return await load(fetched!).catch((error: Error) => {
      // Only Deno knows `npm:`. On Node and Bun the first error is the reason.
      const isDeno = !isMissing(error, fetched!) && codeOf(error) !== "ERR_UNSUPPORTED_ESM_URL_SCHEME";
      const reason = isDeno ? `cannot be loaded (${error.message})` : "is not installed";
      throw new TypeError(`The package "${name}" ${reason}: run "npm install ${name}@${libraries[name]}"`, {
        cause: isDeno ? error : missing,
      });
    });
  }
}

async function load(specifier: string): Promise<unknown> {
  return await import(/* webpackIgnore: true */ /* @vite-ignore */ specifier);
}

function isMissing(error: unknown, specifier: string): boolean {
  return codeOf(error) === "ERR_MODULE_NOT_FOUND" && (error as Error).message.includes(specifier);
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}
