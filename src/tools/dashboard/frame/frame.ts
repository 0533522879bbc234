/** What draws the frame and the document of a page, in one module that is loaded late. */

export { controlRefusalPage } from "../../guard/refusal_page.tsx";
export { describeControlVisit } from "./control_visit.tsx";
export { showPage } from "./dashboard_document.tsx";
export { describeFrame } from "./describe_frame.ts";
export { showFrame } from "./show_frame.tsx";
