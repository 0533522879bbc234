package io.github.postern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.postern.api.GateKind;
import io.github.postern.api.Person;
import io.github.postern.api.RawResponse;
import io.github.postern.api.SecondFactor;
import io.github.postern.api.SecondFactorKind;
import io.github.postern.api.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON of the kit, also from a server that means harm. */
class JsonTest {
  private static void assertRefused(String text, String why) {
    PosternException refused = assertThrows(PosternException.class, () -> Json.read(text), text);
    assertEquals("This is no JSON: " + why, refused.getMessage());
  }

  @Test
  void readsEachKindOfValue() {
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("a", List.of(1L, -2.5, 0L, 1e3, 2e-1));
    expected.put("b", null);
    expected.put("c", Map.of("", true, "d", false));
    expected.put("e", List.of());
    expected.put("f", Map.of());
    String text = " {\"a\": [1, -2.5, -0, 1E+3,2e-1],\n\"b\":null,\t\"c\":{\"\":true,\"d\":false},\"e\":[ ],\"f\":{ }}\r\n";
    Object read = Json.read(text);
    assertEquals(expected, read);
    assertEquals(List.copyOf(expected.keySet()), List.copyOf(((Map<?, ?>) read).keySet()));
  }

  @Test
  void readsEscapes() {
    assertEquals("\"\\/\b\f\n\r\té€😀", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC😀\""));
    assertEquals("😀", Json.read("\"\\ud83d\\uDE00\""));
  }

  @Test
  void aLoneSurrogateIsReadAndWrittenAsItIs() {
    for (String text : List.of("\"\\ud800\"", "\"\\udc00x\"", "\"\\udc00\\ud800\"")) {
      assertEquals(text, Json.write(Json.read(text)));
    }
    assertEquals("\"\\ud83d\\ude00\"", Json.write("😀"));
  }

  @Test
  void numbersHaveTheSizeThatTheyNeed() {
    assertEquals(Long.MAX_VALUE, Json.read("9223372036854775807"));
    assertEquals(Long.MIN_VALUE, Json.read("-9223372036854775808"));
    assertEquals(9223372036854775808.0, Json.read("9223372036854775808"));
    assertEquals(1e30, Json.read("1" + "0".repeat(30)));
    assertEquals(0.0, Json.read("1e-999999999"));
    assertEquals(1.7976931348623157e308, Json.read("1.7976931348623157e308"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e309", "-1e999999999"})
  void aNumberThatIsTooLargeIsRefused(String text) {
    assertRefused("[" + text + "]", "a number up to 1.8e308 was expected at character 1");
    assertRefused("1" + "0".repeat(400), "a number up to 1.8e308 was expected at character 0");
  }

  @Test
  void aNumberWithAMillionDigitsTakesNoTime() {
    assertEquals(1.0, Json.read("1." + "0".repeat(1_000_000)));
  }

  @Test
  void deepNestingIsRefusedAndNoStackOverflows() {
    String most = "[".repeat(Json.MOST_LEVELS) + "]".repeat(Json.MOST_LEVELS);
    assertTrue(Json.read(most) instanceof List);
    assertRefused("[" + most + "]", "at most 500 levels were expected at character 500");
    assertRefused("{\"a\":".repeat(1_000_000), "at most 500 levels were expected at character 2500");
    // Beside one another is not inside of one another.
    Json.read("[" + "[],{},".repeat(1000) + "[]]");
  }

  @Test
  void aMemberThatComesTwiceIsRefused() {
    assertRefused("{\"a\":1,\"b\":2,\"\\u0061\":3}", "the member a comes twice at character 13");
    Json.read("[{\"a\":1},{\"a\":2}]");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
    "1 2 ~ the end was expected at character 2",
    "{}} ~ the end was expected at character 2",
    "`` ~ a value was expected at character 0",
    "` ` ~ a value was expected at character 1",
    "nul ~ a value was expected at character 0",
    "NaN ~ a value was expected at character 0",
    "-Infinity ~ a value was expected at character 0",
    "+1 ~ a value was expected at character 0",
    ".5 ~ a value was expected at character 0",
    "01 ~ the end was expected at character 1",
    "1. ~ a digit was expected at character 2",
    "1e ~ a digit was expected at character 2",
    "1e+-1 ~ a digit was expected at character 3",
    "١ ~ a value was expected at character 0",
    "'a' ~ a value was expected at character 0",
    "[1 ~ ] was expected at character 2",
    "[1,] ~ a value was expected at character 3",
    "[,1] ~ a value was expected at character 1",
    "{\"a\":1,} ~ the name of a member was expected at character 7",
    "{a:1} ~ the name of a member was expected at character 1",
    "{\"a\" 1} ~ : was expected at character 5",
    "{\"a\":} ~ a value was expected at character 5",
    "{\"a\":1 ~ } was expected at character 6",
    "\"a ~ the end of a string was expected at character 2",
    "\"\\ ~ an escape was expected at character 1",
    "\"\\x\" ~ an escape was expected at character 1",
    "\"\\u12g4\" ~ four hexadecimal digits were expected at character 5",
    "\"\\u١١١١\" ~ four hexadecimal digits were expected at character 3",
    "\"\\u12 ~ four hexadecimal digits were expected at character 5",
    "/* */ 1 ~ a value was expected at character 0",
    "\uFEFF1 ~ a value was expected at character 0",
    "\u00A01 ~ a value was expected at character 0",
  })
  void whatIsNoJsonIsRefused(String text, String why) {
    assertRefused(text, why);
  }

  @Test
  void aControlCharacterInAStringIsRefused() {
    for (char each = 0; each < ' '; each++) {
      assertRefused("\"" + each + "\"", "a control character in a string needs an escape at character 1");
    }
  }

  @Test
  void writesWhatItReads() {
    String text = "{\"a\":[1,-2.5,true,null],\"b\":{},\"c\":[],\"d\":\"\\u0000\\u001f\\\"\\\\é\"}";
    assertEquals(text, Json.write(Json.read(text)));
  }

  @Test
  void valuesOfJavaAreWrittenAsPosternReadsThem() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("duration", Duration.ofMillis(-1500));
    members.put("instant", Instant.ofEpochSecond(1_700_000_000, 250_000_000));
    members.put("list", new Object[] {1, 2.5f, List.of("a")});
    members.put("null", null);
    members.put("enum", io.github.postern.api.ForgeryName.ACCESS_TOKEN_EXPIRED);
    assertEquals(
        "{\"duration\":-1.500000000,\"instant\":1700000000.250000000,\"list\":[1,2.5,[\"a\"]],\"null\":null,"
            + "\"enum\":\"access_token.expired\"}",
        Json.write(members));
    assertThrows(IllegalArgumentException.class, () -> Json.write(List.of(Double.NaN)));
    assertThrows(IllegalArgumentException.class, () -> Json.write(new ArrayList<>(List.of(1 / 0.0f))));
  }

  record Known(int count, Duration by, List<String> scope, Integer none, Instant at, GateKind kind) {}

  @Test
  void aRecordTakesTheMembersThatItKnows() {
    Object answer = Json.read("{\"count\":2,\"by\":97200,\"scope\":\"a b\",\"at\":1.5,\"later\":{}}");
    Known expected = new Known(2, Duration.ofHours(27), List.of("a b"), null, Instant.ofEpochMilli(1500), null);
    assertEquals(expected, Values.decode(answer, "answer", Known.class));
  }

  record Switches(boolean isOn, Boolean mayBeOn, Boolean absent, Duration by) {}

  @Test
  void falseIsNothingOnlyForWhatIsNoSwitch() {
    Object answer = Json.read("{\"isOn\":false,\"mayBeOn\":false,\"by\":false}");
    assertEquals(new Switches(false, false, null, null), Values.decode(answer, "answer", Switches.class));
  }

  @Test
  void aLongTimeIsExact() {
    assertEquals(Duration.ofSeconds(20_000_000_000L), Values.decode(Json.read("20000000000"), "by", Duration.class));
    assertEquals(Duration.ofSeconds(-20_000_000_001L, 500_000_000), Values.decode(Json.read("-20000000000.5"), "by", Duration.class));
    assertEquals(Duration.ofDays(999_999_999), Values.decode(Json.read("86399999913600"), "by", Duration.class));
    assertEquals(Duration.ofMillis(300), Values.decode(Json.read("0.30000000000000004"), "by", Duration.class));
    assertEquals(Duration.ofMillis(300), Values.decode(Json.read("0.2999999999"), "by", Duration.class));
    assertEquals(Instant.parse("9999-12-31T23:59:59Z"), Values.decode(Json.read("253402300799"), "at", Instant.class));
    assertEquals(Integer.MIN_VALUE, Values.decode(Json.read("-2147483648"), "count", Integer.class));
  }

  @ParameterizedTest
  @CsvSource({
    "1e300,Duration", "-1e300,Duration", "1e17,Instant", "9223372036854775807,Instant", "2147483648,Integer",
    "-2147483649,Integer"})
  void whatATypeOfJavaCannotBeIsRefused(String written, String name) {
    Object value = Json.read(written);
    Class<?> type = Map.of("Duration", Duration.class, "Instant", Instant.class, "Integer", Integer.class).get(name);
    PosternException refused = assertThrows(PosternException.class, () -> Values.decode(value, "place", type));
    assertEquals("place is " + value + ", and " + name + " was expected", refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{}|answer lacks the member count",
    "{\"count\":\"2\"}|answer.count is a String, and Long was expected",
    "{\"count\":1e99}|answer.count is 1.0E99, and Long was expected",
    "{\"count\":1,\"by\":\"soon\"}|answer.by is a String, and Number was expected",
    "{\"count\":1,\"scope\":[1]}|answer.scope is 1, and String was expected",
    "{\"count\":1,\"scope\":{}}|answer.scope is an object, and List was expected",
    "{\"count\":1,\"kind\":\"other\"}|answer.kind is other, which this kit does not know as GateKind",
    "[]|answer is a list, and Map was expected"})
  void anAnswerOfAnotherFormIsRefusedWithItsPlace(String written, String why) {
    PosternException refused =
        assertThrows(PosternException.class, () -> Values.decode(Json.read(written), "answer", Known.class));
    assertEquals(why, refused.getMessage());
  }

  @Test
  void anAnswerCannotBeChanged() {
    Known known = (Known) Values.decode(Json.read("{\"count\":1,\"scope\":[\"a\"]}"), "answer", Known.class);
    assertThrows(UnsupportedOperationException.class, () -> known.scope().add("b"));
    Map<?, ?> read = (Map<?, ?>) Json.read("{\"a\":[1],\"b\":{}}");
    assertThrows(UnsupportedOperationException.class, read::clear);
    assertThrows(UnsupportedOperationException.class, ((List<?>) read.get("a"))::clear);
    assertThrows(UnsupportedOperationException.class, ((Map<?, ?>) Values.decode(read, "answer", Map.class, Object.class))::clear);
  }

  @Test
  void aRecordMayHaveTheOtherMembersToo() {
    Tokens tokens = (Tokens) Values.decode(
        Json.read("{\"access_token\":\"a\",\"expires_in\":60,\"tenant\":{\"id\":1}}"), "answer", Tokens.class);
    assertEquals(Map.of("tenant", Map.of("id", 1L)), tokens.more());
    assertEquals(Duration.ofMinutes(1), tokens.expiresIn());
    assertThrows(UnsupportedOperationException.class, () -> tokens.more().clear());
  }

  @Test
  void aTextStandsForARecordWithItsFirstMember() {
    Object brief = Values.decode(Json.read("{\"username\":\"a\",\"secondFactor\":\"totp\"}"), "answer", Person.class);
    Object whole = Values.decode(
        Json.read("{\"username\":\"a\",\"secondFactor\":{\"kind\":\"totp\"}}"), "answer", Person.class);
    assertEquals(whole, brief);
    assertEquals(new SecondFactor(SecondFactorKind.TOTP, null, null), ((Person) whole).secondFactor());
    assertFalse(((Person) whole).disabled());
  }

  @ParameterizedTest
  @CsvSource(value = {"\"unknown\",null", "false,null", "12,12"}, nullValues = "null")
  void aLengthMayBeUnknown(String written, Long expected) {
    String answer = "{\"headers\":[],\"bodyLength\":" + written + ",\"status\":200}";
    RawResponse response = (RawResponse) Values.decode(Json.read(answer), "answer", RawResponse.class);
    assertEquals(expected, response.bodyLength());
    assertEquals("unknown", Values.decode("unknown", "by", String.class));
  }

  @Test
  void aTokenResponseOfTheTestMayHaveAnything() {
    TokenSet tokens = TokenSet.of(Map.of("access_token", "a", "expires_in", "soon", "scope", 1));
    assertEquals("a", tokens.accessToken());
    assertNull(tokens.refreshToken());
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> TokenSet.of(Map.of("refresh_token", 5)));
    assertEquals("response.refresh_token is 5, and String was expected", wrong.getMessage());
  }
}
