package io.github.postern;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Between the values of JSON and the types of the kit. */
final class Values {
  private static final Pattern PART_OF_DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|[dhms])\\s*");

  private static final Map<String, Long> MILLIS =
      Map.of("d", 86_400_000L, "h", 3_600_000L, "m", 60_000L, "s", 1000L, "ms", 1L);

  private Values() {}

  /** Returns what JSON has for a value of Java: a duration is a number of seconds, and so is an instant. */
  static Object encode(Object value) {
    if (value instanceof Map<?, ?> members) {
      Map<String, Object> encoded = new LinkedHashMap<>();
      members.forEach((name, each) -> encoded.put(String.valueOf(name), encode(each)));
      return encoded;
    }
    if (value instanceof Collection<?> values) return values.stream().map(Values::encode).toList();
    if (value instanceof Object[] values) return Arrays.stream(values).map(Values::encode).toList();
    if (value instanceof Duration duration) return seconds(duration.getSeconds(), duration.getNano());
    if (value instanceof Instant instant) return seconds(instant.getEpochSecond(), instant.getNano());
    if (value instanceof Number number && !Double.isFinite(number.doubleValue())) {
      throw new IllegalArgumentException(number + " is no number of JSON");
    }
    if (value == null || value instanceof Boolean || value instanceof Number) return value;
    return value.toString();
  }

  private static BigDecimal seconds(long seconds, int nanos) {
    return BigDecimal.valueOf(seconds).add(BigDecimal.valueOf(nanos, 9));
  }

  /** Returns the value of the type for a value of JSON. Members that a record lacks are left out. */
  static <T> T decode(Object value, Class<T> type, String place) {
    @SuppressWarnings("unchecked")
    T decoded = (T) decode(value, (Type) type, place);
    return decoded;
  }

  static <T> List<T> decodeList(Object value, Class<T> type, String place) {
    @SuppressWarnings("unchecked")
    List<T> decoded = (List<T>) readList(value, type, place);
    return decoded;
  }

  static <T> Map<String, T> decodeMap(Object value, Class<T> type, String place) {
    @SuppressWarnings("unchecked")
    Map<String, T> decoded = (Map<String, T>) readMap(value, type, place);
    return decoded;
  }

  private static Object decode(Object value, Type type, String place) {
    if (value == null || type == Object.class) return value;
    if (type instanceof ParameterizedType generic) return decodeGeneric(value, generic, place);
    Class<?> plain = (Class<?>) type;
    // Some members are false if there is nothing.
    if (value.equals(false) && plain != boolean.class && plain != Boolean.class) return null;
    if (plain.isRecord()) return decodeRecord(require(value, Map.class, place), plain, place);
    if (plain.isEnum()) return findConstant(plain, value, place);
    if (plain == int.class || plain == Integer.class) return toInt(value, place);
    if (plain == double.class || plain == Double.class) return require(value, Number.class, place).doubleValue();
    if (plain == boolean.class) return require(value, Boolean.class, place);
    if (plain == Duration.class) return value instanceof String text ? readDuration(text, place) : ofSeconds(value, place);
    if (plain == Instant.class) return toInstant(value, place);
    return require(value, plain, place);
  }

  private static Object decodeGeneric(Object value, ParameterizedType generic, String place) {
    Type[] of = generic.getActualTypeArguments();
    boolean isList = generic.getRawType() == List.class;
    return isList ? readList(value, of[0], place) : readMap(value, of[1], place);
  }

  private static List<?> readList(Object value, Type of, String place) {
    List<Object> decoded = new ArrayList<>();
    // One text stands for a list of one.
    List<?> values = value instanceof String text ? List.of(text) : require(value, List.class, place);
    for (Object each : values) decoded.add(decode(each, of, place));
    return decoded;
  }

  private static Map<String, ?> readMap(Object value, Type of, String place) {
    Map<String, Object> decoded = new LinkedHashMap<>();
    Map<?, ?> members = require(value, Map.class, place);
    members.forEach((name, each) -> decoded.put((String) name, decode(each, of, place + "." + name)));
    return decoded;
  }

  private static Object decodeRecord(Map<?, ?> members, Class<?> type, String place) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int index = 0; index < components.length; index++) {
      RecordComponent component = components[index];
      JsonName given = component.getAnnotation(JsonName.class);
      String name = given == null ? component.getName() : given.value();
      types[index] = component.getType();
      values[index] = decode(members.get(name), component.getGenericType(), place + "." + name);
      if (values[index] == null && types[index].isPrimitive()) {
        throw new PosternException("The answer of Postern lacks the member " + place + "." + name);
      }
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException error) {
      throw new PosternException("The kit cannot make " + type.getName(), error);
    }
  }

  private static Object findConstant(Class<?> type, Object value, String place) {
    for (Object each : type.getEnumConstants()) {
      if (each.toString().equals(value)) return each;
    }
    throw new PosternException(
        "The answer of Postern has " + value + " at " + place + ", and this kit does not know it as " + type.getSimpleName());
  }

  private static <T> T require(Object value, Class<T> type, String place) {
    if (type.isInstance(value)) return type.cast(value);
    String received = value == null ? "nothing" : "a " + value.getClass().getSimpleName();
    throw new PosternException(
        "The answer of Postern has " + received + " at " + place
            + ", and a " + type.getSimpleName() + " was expected");
  }

  private static Duration ofSeconds(Object value, String place) {
    return toDuration(new BigDecimal(require(value, Number.class, place).toString()), value, place);
  }

  /** Refuses what a duration cannot be, and rounds what is finer than a nanosecond. */
  private static Duration toDuration(BigDecimal seconds, Object value, String place) {
    BigDecimal exact = seconds.setScale(9, RoundingMode.HALF_EVEN);
    BigDecimal whole = exact.setScale(0, RoundingMode.FLOOR);
    try {
      return Duration.ofSeconds(whole.longValueExact(), exact.subtract(whole).movePointRight(9).longValueExact());
    } catch (ArithmeticException tooLong) {
      throw mismatch(value, place, "a duration");
    }
  }

  private static Instant toInstant(Object value, String place) {
    try {
      return Instant.EPOCH.plus(ofSeconds(value, place));
    } catch (DateTimeException | ArithmeticException tooLate) {
      throw mismatch(value, place, "an instant");
    }
  }

  private static int toInt(Object value, String place) {
    long number = require(value, Long.class, place);
    if (number != (int) number) throw mismatch(value, place, "a number of 32 bits");
    return (int) number;
  }

  /** Reads the texts that configurations have: {@code 2h}, {@code 1d 3h}, {@code -5m}. */
  private static Duration readDuration(String text, String place) {
    boolean isNegative = text.startsWith("-");
    Matcher part = PART_OF_DURATION.matcher(text).region(isNegative ? 1 : 0, text.length());
    BigDecimal millis = BigDecimal.ZERO;
    while (part.lookingAt()) {
      millis = millis.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(MILLIS.get(part.group(2)))));
      part.region(part.end(), text.length());
    }
    String shown = '"' + text + '"';
    if (part.regionStart() < text.length()) throw mismatch(shown, place, "a duration");
    return toDuration((isNegative ? millis.negate() : millis).movePointLeft(3), shown, place);
  }

  private static PosternException mismatch(Object value, String place, String expected) {
    return new PosternException(
        "The answer of Postern has " + value + " at " + place + ", and " + expected + " was expected");
  }
}
