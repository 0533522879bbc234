// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * What an authenticator app needs. It is a secret of the person.
 *
 * @param secret The secret in base32.
 * @param uri The link that apps read from a QR code: otpauth://totp/….
 * @param qrCode The link as a QR code in SVG. Absent if the link has more than 666 octets, and in a
 * web page. May be null.
 */
public record AuthenticatorOfAnswer(
    String secret,
    String uri,
    String qrCode) {}
