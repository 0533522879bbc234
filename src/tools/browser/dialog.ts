/** The dialog in which an application shows the sign-in pages, if it gives no place for them. */
/// <reference lib="dom" />

export interface Dialog {
  readonly frame: HTMLIFrameElement;
  /** Makes the frame as high as its page, and gives it the focus. */
  fit(page: Document): void;
  remove(): void;
}

/** Opens a dialog with a frame. `close` is called when the person closes it. */
export function openDialog(issuer: string, close: () => void): Dialog {
  const frame = create("iframe", "flex: 0 1 320px; min-height: 0; width: 100%; border: 0");
  frame.title = "Sign-in";
  const address = create("span", "flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap");
  address.textContent = issuer;
  const button = create(
    "button",
    "width: 40px; height: 40px; border: 0; background: none; font: 18px system-ui",
  );
  button.type = "button";
  button.ariaLabel = "Close";
  button.textContent = "✕";
  button.onclick = () => close();
  const bar = create("div", "display: flex; align-items: center; padding: 2px 4px 2px 16px");
  bar.append(address, button);
  const dialog = create("dialog", dialogStyle);
  dialog.ariaLabel = "Sign-in";
  // Also after the key Escape.
  dialog.onclose = () => close();
  dialog.append(bar, frame);
  document.body.append(dialog);
  dialog.showModal();
  return {
    frame,
    fit(page) {
      const { ResizeObserver } = page.defaultView!;
      new ResizeObserver(() => {
        // The page is at least as high as the frame.
        frame.style.flexBasis = "0";
        frame.style.flexBasis = `${page.documentElement.offsetHeight}px`;
      }).observe(page.body);
      page.addEventListener("keydown", ({ key }) => key === "Escape" && close());
      (page.querySelector<HTMLElement>("[autofocus]") ?? frame).focus();
    },
    remove() {
      // Gives the focus back.
      dialog.close();
      dialog.remove();
    },
  };
}

const dialogStyle =
  "display: flex; flex-direction: column; box-sizing: border-box; position: fixed; inset: 0; " +
  "margin: auto; padding: 0; width: 544px; max-width: 100vw; height: fit-content; max-height: 100dvh; border: 0; " +
  "border-radius: 8px; overflow: hidden; color-scheme: light dark; background: Canvas; color: CanvasText; " +
  "font: 14px system-ui; box-shadow: 0 0 0 100vmax rgb(0 0 0 / 50%)";

/** Creates an element that no style sheet of the application changes. A policy does not forbid these styles. */
function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.style.cssText = `all: revert; ${style}`;
  return element;
}
