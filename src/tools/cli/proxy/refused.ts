/** The refusal of a proxy. The message is a sentence for the person who runs the client. */

export class Refused extends Error {
  override readonly name = "Refused";

  constructor(readonly status: number, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
