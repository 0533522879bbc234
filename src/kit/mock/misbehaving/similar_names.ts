/** Which misbehaviours an unknown name may mean. */

export { suggestMisbehaviour } from "../../faults/plain_words.ts";
