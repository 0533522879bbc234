// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The format. Default: text. */
public enum TimelineForm {
  /** {@code text} */
  TEXT("text"),
  /** {@code jsonl} */
  JSONL("jsonl"),
  /** {@code har} */
  HAR("har"),
  /** {@code mermaid} */
  MERMAID("mermaid"),
  /** {@code html} */
  HTML("html");

  private final String value;

  TimelineForm(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
