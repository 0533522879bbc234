/** Loads what draws the frame and the pages, with the first page, because most servers never show one. */

export const importFrame = (): Promise<typeof import("./frame.ts")> => import("./frame.ts");
