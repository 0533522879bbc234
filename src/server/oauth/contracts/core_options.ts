/** The options of the core by which a feature decides whether a server has it. They are not checked yet. */
export interface CoreOptions {
  readonly issuer?: string;
  readonly also?: readonly string[];
  readonly clients?: unknown;
  readonly clientAuthMethods?: readonly string[];
  readonly exposeDemo?: boolean;
  readonly demoResource?: string;
  readonly dpop?: unknown;
}
