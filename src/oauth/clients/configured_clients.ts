/** The configuration as a source of clients: asked first, and there without any feature. */

import type { ClientSource } from "../feature.ts";

export const configuredClients: ClientSource = {
  name: "configuration",
  expects: "a configured client",
  find: (id, { settings }) => Promise.resolve(settings.clients.get(id)),
};
