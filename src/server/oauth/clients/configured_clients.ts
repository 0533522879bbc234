/** The configuration as a source of clients. It is searched first and needs no feature. */

import type { ClientSource } from "../feature.ts";

export const configuredClients: ClientSource = {
  name: "configuration",
  expects: () => "a configured client",
  find: (id, { settings }) => Promise.resolve(settings.clients.get(id)),
};
