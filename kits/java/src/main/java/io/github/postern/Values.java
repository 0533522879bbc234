package io.github.postern;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Between the values of JSON and the types of the kit. */
final class Values {
  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

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

  /**
   * Returns the value of the type for a value of JSON. Members that a record lacks are left out.
   *
   * @param type The type. With {@code List.class} and {@code Map.class}, that of the values comes after.
   */
  static Object decode(Object value, String place, Class<?>... type) {
    return type.length == 1 ? decode(value, type[0], place) : decodeAll(value, type[0], type[1], place);
  }

  private static Object decode(Object value, Type type, String place) {
    if (value == null || type == Object.class) return value;
    if (type instanceof ParameterizedType generic) {
      Type[] of = generic.getActualTypeArguments();
      return decodeAll(value, generic.getRawType(), of[of.length - 1], place);
    }
    Class<?> plain = (Class<?>) type;
    // Some members are false or "unknown" if there is nothing.
    boolean isNothing = value.equals(false) && plain != boolean.class && plain != Boolean.class
        || value.equals("unknown") && plain == Long.class;
    if (isNothing || plain == Void.class) return null;
    if (plain.isRecord()) return decodeRecord(value, plain, place);
    if (plain.isEnum()) return findConstant(plain, value, place);
    try {
      if (plain == int.class || plain == Integer.class) return Math.toIntExact(require(value, Long.class, place));
      if (plain == Duration.class) return toDuration(require(value, Number.class, place));
      if (plain == Instant.class) return Instant.EPOCH.plus(toDuration(require(value, Number.class, place)));
    } catch (ArithmeticException | DateTimeException outside) {
      throw mismatch(value, place, plain);
    }
    return plain == boolean.class ? require(value, Boolean.class, place) : require(value, plain, place);
  }

  private static Object decodeAll(Object value, Type of, Type type, String place) {
    if (of == Map.class) {
      Map<String, Object> decoded = new LinkedHashMap<>();
      Map<?, ?> members = require(value, Map.class, place);
      members.forEach((name, each) -> decoded.put((String) name, decode(each, type, place + "." + name)));
      return Collections.unmodifiableMap(decoded);
    }
    List<Object> decoded = new ArrayList<>();
    // One text stands for a list of one.
    List<?> values = value instanceof String text ? List.of(text) : require(value, List.class, place);
    for (Object each : values) decoded.add(decode(each, type, place));
    return Collections.unmodifiableList(decoded);
  }

  private static Object decodeRecord(Object value, Class<?> type, String place) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    // One text stands for the first member.
    Map<?, ?> members = value instanceof String text
        ? Map.of(components[0].getName(), text)
        : require(value, Map.class, place);
    Map<Object, Object> others = new LinkedHashMap<>(members);
    for (int index = 0; index < components.length; index++) {
      RecordComponent component = components[index];
      JsonName given = component.getAnnotation(JsonName.class);
      String name = given == null ? component.getName() : given.value();
      boolean isRest = name.equals("*");
      Object member = isRest ? others : others.remove(name);
      types[index] = component.getType();
      values[index] = decode(member, component.getGenericType(), place + (isRest ? "" : "." + name));
      if (values[index] != null || !types[index].isPrimitive()) continue;
      if (types[index] != boolean.class) {
        throw new PosternException(place + " lacks the member " + name);
      }
      // What is not said to be so is not so.
      values[index] = false;
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
    throw new PosternException(place + " is " + value + ", which this kit does not know as " + type.getSimpleName());
  }

  private static <T> T require(Object value, Class<T> type, String place) {
    if (type.isInstance(value)) return type.cast(value);
    throw mismatch(value, place, type);
  }

  /** Rounds what is finer than a nanosecond. */
  private static Duration toDuration(Number seconds) {
    BigDecimal exact = new BigDecimal(seconds.toString()).setScale(9, RoundingMode.HALF_EVEN);
    BigInteger[] parts = exact.unscaledValue().divideAndRemainder(NANOS);
    return Duration.ofSeconds(parts[0].longValueExact(), parts[1].longValueExact());
  }

  private static PosternException mismatch(Object value, String place, Class<?> expected) {
    String found = value == null ? "nothing"
        : value instanceof Number ? String.valueOf(value)
        : value instanceof Map ? "an object"
        : value instanceof List ? "a list"
        : "a " + value.getClass().getSimpleName();
    return new PosternException(place + " is " + found + ", and " + expected.getSimpleName() + " was expected");
  }
}
