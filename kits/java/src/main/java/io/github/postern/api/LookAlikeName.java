// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The provider. */
public enum LookAlikeName {
  /** {@code apple} */
  APPLE("apple"),
  /** {@code atlassian} */
  ATLASSIAN("atlassian"),
  /** {@code auth0} */
  AUTH0("auth0"),
  /** {@code cognito} */
  COGNITO("cognito"),
  /** {@code discord} */
  DISCORD("discord"),
  /** {@code entra} */
  ENTRA("entra"),
  /** {@code facebook} */
  FACEBOOK("facebook"),
  /** {@code github} */
  GITHUB("github"),
  /** {@code gitlab} */
  GITLAB("gitlab"),
  /** {@code google} */
  GOOGLE("google"),
  /** {@code keycloak} */
  KEYCLOAK("keycloak"),
  /** {@code linkedin} */
  LINKEDIN("linkedin"),
  /** {@code okta} */
  OKTA("okta"),
  /** {@code slack} */
  SLACK("slack"),
  /** {@code slack_openid} */
  SLACK_OPENID("slack_openid");

  private final String value;

  LookAlikeName(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
