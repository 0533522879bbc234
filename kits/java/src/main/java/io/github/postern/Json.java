package io.github.postern;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads and writes JSON (RFC 8259), because the kit has no dependency. A value is a Map, a List, a String, a
 * Long, a Double, a Boolean or null.
 */
final class Json {
  /** Objects and lists inside of one another. Answers of Postern have far fewer. */
  static final int MOST_LEVELS = 500;

  private final String text;
  private int at;
  private int level;

  private Json(String text) {
    this.text = text;
  }

  /** Reads a whole text. Refuses what RFC 8259 does not allow, and names of members that come twice. */
  static Object read(String text) {
    Json json = new Json(text);
    json.skipSpace();
    Object value = json.readValue();
    json.skipSpace();
    if (json.at < text.length()) throw json.refuse("the end was expected");
    return value;
  }

  private Object readValue() {
    if (at >= text.length()) throw refuse("a value was expected");
    return switch (text.charAt(at)) {
      case '{' -> readObject();
      case '[' -> readList();
      case '"' -> readString();
      case 't' -> readWord("true", true);
      case 'f' -> readWord("false", false);
      case 'n' -> readWord("null", null);
      default -> readNumber();
    };
  }

  private Map<String, Object> readObject() {
    enter();
    Map<String, Object> members = new LinkedHashMap<>();
    if (!take('}')) {
      do {
        skipSpace();
        int start = at;
        if (!isAt('"')) throw refuse("the name of a member was expected");
        String name = readString();
        if (members.containsKey(name)) {
          at = start;
          throw refuse("the member " + name + " comes twice");
        }
        skipSpace();
        require(':');
        skipSpace();
        members.put(name, readValue());
        skipSpace();
      } while (take(','));
      require('}');
    }
    level--;
    return Collections.unmodifiableMap(members);
  }

  private List<Object> readList() {
    enter();
    List<Object> values = new ArrayList<>();
    if (!take(']')) {
      do {
        skipSpace();
        values.add(readValue());
        skipSpace();
      } while (take(','));
      require(']');
    }
    level--;
    return Collections.unmodifiableList(values);
  }

  private void enter() {
    if (++level > MOST_LEVELS) throw refuse("at most " + MOST_LEVELS + " levels were expected");
    at++;
    skipSpace();
  }

  private String readString() {
    at++;
    StringBuilder read = new StringBuilder();
    while (true) {
      if (at >= text.length()) throw refuse("the end of a string was expected");
      char next = text.charAt(at);
      if (next < ' ') throw refuse("a control character in a string needs an escape");
      at++;
      if (next == '"') return read.toString();
      read.append(next == '\\' ? readEscape() : next);
    }
  }

  private char readEscape() {
    char kind = at < text.length() ? text.charAt(at) : ' ';
    at++;
    return switch (kind) {
      case '"', '\\', '/' -> kind;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> readUnit();
      default -> {
        at -= 2;
        throw refuse("an escape was expected");
      }
    };
  }

  /** A lone surrogate stays one: a string of Java can have it, too. */
  private char readUnit() {
    int unit = 0;
    for (int end = at + 4; at < end; at++) {
      int digit = at < text.length() && text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
      if (digit < 0) throw refuse("four hexadecimal digits were expected");
      unit = unit * 16 + digit;
    }
    return (char) unit;
  }

  private Object readWord(String word, Object value) {
    if (!text.startsWith(word, at)) throw refuse("a value was expected");
    at += word.length();
    return value;
  }

  private Number readNumber() {
    int start = at;
    take('-');
    if (!isDigit()) {
      at = start;
      throw refuse("a value was expected");
    }
    if (!take('0')) skipDigits();
    boolean isInteger = true;
    if (take('.')) {
      isInteger = false;
      skipDigits();
    }
    if (take('e') || take('E')) {
      isInteger = false;
      if (!take('+')) take('-');
      skipDigits();
    }
    String number = text.substring(start, at);
    // A long has at most 19 digits.
    if (isInteger && number.length() <= 20) {
      try {
        return Long.valueOf(number);
      } catch (NumberFormatException tooLarge) {
        return Double.valueOf(number);
      }
    }
    double value = Double.parseDouble(number);
    if (Double.isFinite(value)) return value;
    at = start;
    throw refuse("a number up to 1.8e308 was expected");
  }

  private void skipDigits() {
    if (!isDigit()) throw refuse("a digit was expected");
    while (isDigit()) at++;
  }

  private boolean isDigit() {
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private boolean isAt(char expected) {
    return at < text.length() && text.charAt(at) == expected;
  }

  private boolean take(char expected) {
    boolean isThere = isAt(expected);
    if (isThere) at++;
    return isThere;
  }

  private void require(char expected) {
    if (!take(expected)) throw refuse(expected + " was expected");
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
  }

  private PosternException refuse(String why) {
    return new PosternException("This is no JSON: " + why + " at character " + at);
  }

  /** Writes a value of Java. A duration is a number of seconds, and so is an instant. */
  static String write(Object value) {
    if (value instanceof Map<?, ?> members) {
      return members.entrySet().stream()
          .map(member -> writeString(String.valueOf(member.getKey())) + ":" + write(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof Object[] values) return write(Arrays.asList(values));
    if (value instanceof Collection<?> values) {
      return values.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Duration duration) return writeSeconds(duration.getSeconds(), duration.getNano());
    if (value instanceof Instant instant) return writeSeconds(instant.getEpochSecond(), instant.getNano());
    if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
      throw new IllegalArgumentException(number + " is no number of JSON");
    }
    boolean isPlain = value == null || value instanceof Boolean || value instanceof Number;
    return isPlain ? String.valueOf(value) : writeString(value.toString());
  }

  private static String writeSeconds(long seconds, int nanos) {
    return BigDecimal.valueOf(seconds).add(BigDecimal.valueOf(nanos, 9)).toString();
  }

  private static String writeString(String string) {
    StringBuilder written = new StringBuilder("\"");
    for (char each : string.toCharArray()) {
      if (each == '"' || each == '\\') {
        written.append('\\').append(each);
      } else if (each < ' ' || Character.isSurrogate(each)) {
        // UTF-8 has no form for a lone surrogate, and an escape is right for a pair, too.
        written.append(String.format("\\u%04x", (int) each));
      } else {
        written.append(each);
      }
    }
    return written.append('"').toString();
  }
}
