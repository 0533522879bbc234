/** The options and the result of `startWorker`. */

import type { MockOptions } from "../../kit/mock/terms/mock_options.ts";

/** Options of `startWorker`: where the worker is, and those of `createMock` that are no functions. */
export interface WorkerTerms
  extends Omit<MockOptions, "issuer" | "time" | "journal" | "fetch" | "onUnhandled"> {
  /** The address of the worker's file. Default: `/postern-worker.js`. */
  readonly script?: string;
  /** The part of the site whose pages the worker answers. Default: the folder of the file. */
  readonly scope?: string;
  /**
   * The path of the issuer. Default: `idp` in the scope, `idp/` with the paths `auth0`, and `idp/realms/master` with the
   * paths `keycloak`. The worker leaves all other addresses of the site alone.
   */
  readonly issuer?: string;
}

/** A service worker that answers this page. */
export interface StartedWorker {
  /** The URL of the issuer. */
  readonly issuer: string;
  /** The release of Postern that answers. */
  readonly version: string;
  /**
   * Sends a call of the control plane: `control("POST /clock", { advance: "1h" })`. Resolves to its answer, and rejects
   * with the reason if the worker refuses it. The reference of the control plane lists the calls.
   */
  control(call: string, body?: object): Promise<unknown>;
  /** Removes the worker from the browser. Its records stay. */
  remove(): Promise<void>;
}
