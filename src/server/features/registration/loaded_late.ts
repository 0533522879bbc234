/** The steps of registrations, which a server loads at the first request of one. */

export { recordApproval } from "./record_approval.ts";
export {
  deleteRegistration,
  register,
  replaceRegistration,
  showRegistration,
} from "./registration_requests.ts";
