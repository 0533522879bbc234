/** `bundle_tests.ts FOLDER FILES`: bundles test files. */
import { bundleTests } from "../bundle.ts";

const [folder = "", ...files] = Deno.args;
await bundleTests(files, folder);
