/** Sends the authorization response to the window that has opened or framed this one. */
/// <reference lib="dom" />

const message = document.querySelector<HTMLElement>("#web-message");
const client: Window = opener ?? parent;
if (message && client !== self) {
  const fields = [...message.querySelectorAll("input")].map(({ name, value }) => [name, value]);
  const data = { type: "authorization_response", response: Object.fromEntries(fields) };
  client.postMessage(data, message.dataset["origin"]!);
}

export {};
