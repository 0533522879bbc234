/** Notifications of the browser, for a person who looks elsewhere. */
/// <reference lib="dom" />

const isKnown = "Notification" in globalThis;

/** Shows the text if the person has allowed it, and does not see the page. */
export function notify(text: string): void {
  if (!isKnown || Notification.permission !== "granted" || document.hasFocus()) return;
  new Notification(text, { tag: "postern" }).addEventListener("click", () => focus());
}

/** Shows the button that asks for the permission, which only a person may give. */
export function offerNotifications(button: HTMLElement): void {
  if (!isKnown) return;
  const update = () => button.classList.toggle("shown", Notification.permission === "default");
  update();
  button.addEventListener("click", async () => {
    await Notification.requestPermission();
    update();
  });
}
