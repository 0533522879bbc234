// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** What is wrong with the ID-JAG. Default: nothing. */
public enum IdJagFault {
  /** {@code alg_none} */
  ALG_NONE("alg_none"),
  /** {@code audience_several} */
  AUDIENCE_SEVERAL("audience_several"),
  /** {@code audience_wrong} */
  AUDIENCE_WRONG("audience_wrong"),
  /** {@code binding_unknown} */
  BINDING_UNKNOWN("binding_unknown"),
  /** {@code client_missing} */
  CLIENT_MISSING("client_missing"),
  /** {@code client_wrong} */
  CLIENT_WRONG("client_wrong"),
  /** {@code details_unknown} */
  DETAILS_UNKNOWN("details_unknown"),
  /** {@code expired} */
  EXPIRED("expired"),
  /** {@code expiry_missing} */
  EXPIRY_MISSING("expiry_missing"),
  /** {@code id_missing} */
  ID_MISSING("id_missing"),
  /** {@code issuer_wrong} */
  ISSUER_WRONG("issuer_wrong"),
  /** {@code key_unknown} */
  KEY_UNKNOWN("key_unknown"),
  /** {@code resource_unknown} */
  RESOURCE_UNKNOWN("resource_unknown"),
  /** {@code scope_unknown} */
  SCOPE_UNKNOWN("scope_unknown"),
  /** {@code signature_bad} */
  SIGNATURE_BAD("signature_bad"),
  /** {@code subject_unknown} */
  SUBJECT_UNKNOWN("subject_unknown"),
  /** {@code type_wrong} */
  TYPE_WRONG("type_wrong");

  private final String value;

  IdJagFault(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
