/** Starts another script of the server. */
/// <reference lib="dom" />

export function startScript(src: string): void {
  const script = document.createElement("script");
  script.type = "module";
  script.src = src;
  document.head.append(script);
}
