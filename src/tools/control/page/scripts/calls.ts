/** Sends a call in place, and shows its answer below its form. Without this script the answer is a page. */
/// <reference lib="dom" />

document.querySelector<HTMLFormElement>("#send")?.addEventListener("submit", (event) => {
  event.preventDefault();
  void send(event.currentTarget as HTMLFormElement, event.submitter);
});

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const fields = [...new FormData(form, button)].map(([name, value]) => [name, `${value}`]);
  const body = new URLSearchParams(fields);
  const response = await fetch(form.action, { method: "POST", headers: { accept: "text/html" }, body });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  // A refused form has a page of its own, for example after a restart of the server.
  const answer = page.querySelector("#answer, #description")!;
  document.getElementById("answer")!.replaceChildren(...answer.childNodes);
}
