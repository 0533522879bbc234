/** `bundle_tests.ts FOLDER FILES`: bundles test files, and prints the paths of the bundles as JSON. */
import { bundleTests } from "./bundle.ts";

const [folder = "", ...files] = Deno.args;
console.log(JSON.stringify(await bundleTests(files, folder)));
