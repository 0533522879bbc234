/** Tabs: sections of which a page shows one at a time. Without scripts they stand one below the other. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";

interface TabsProps {
  /** The id of the tabs. The id of a section is `ID-SECTION`. */
  readonly id: string;
  /** What the tabs choose between, for readers of screens. */
  readonly label: string;
  /** The first one is chosen. */
  readonly sections: readonly {
    readonly id: string;
    readonly name: string;
    readonly content: ComponentChildren;
  }[];
  readonly headingLevel?: 2 | 3;
}

/** The page needs the script `tabs.js`. */
export function Tabs({ id, label, sections, headingLevel = 2 }: TabsProps): VNode {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <div class="tabs" id={id}>
      <div role="tablist" aria-label={label}>
        {sections.map((section, at) => (
          <button
            key={section.id}
            type="button"
            role="tab"
            id={`${id}-${section.id}-tab`}
            aria-controls={`${id}-${section.id}`}
            aria-selected={at === 0}
            tabIndex={at === 0 ? 0 : -1}
          >
            {section.name}
          </button>
        ))}
      </div>
      {sections.map((section, at) => (
        <section
          key={section.id}
          id={`${id}-${section.id}`}
          class={at === 0 ? "chosen" : undefined}
          aria-labelledby={`${id}-${section.id}-heading`}
        >
          <Heading id={`${id}-${section.id}-heading`}>{section.name}</Heading>
          {section.content}
        </section>
      ))}
    </div>
  );
}
