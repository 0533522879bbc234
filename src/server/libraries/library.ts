/** What a library or a product is told so that it does what the server asks for, in its own words. */

/**
 * What a library must be told. `pkce`: to send PKCE. `nonce`: to send a nonce. `resource`: to name the API of its tokens.
 * `scope`: to separate scopes by spaces. `https`: to accept an issuer on localhost without https. `claims`: where the name
 * of the person is. `authentication`: how the client authenticates. `response_type`: to ask for a code.
 */
export type Switch =
  | "pkce"
  | "nonce"
  | "resource"
  | "scope"
  | "https"
  | "claims"
  | "authentication"
  | "response_type";

export interface Library {
  /** The word for `postern print`. */
  readonly name: string;
  readonly title: string;
  /** The version that was read or run. */
  readonly version: string;
  /** Whether it sends PKCE: by itself, when it is told to (`words.pkce`), or never. */
  readonly pkce: "always" | "if told" | "never";
  /** The line to write for each switch. Absent: it needs no word, or has none. */
  readonly words: { readonly [of in Switch]?: string };
  /**
   * What a line is added to, if applications usually have it already: a setting, or a call. `…` stands for what is there,
   * and the line is only what comes to it. Absent: the line is new as a whole, or replaces one that sets the same.
   */
  readonly into?: { readonly [of in Switch]?: string };
  /** The line for `pkce` in another file. */
  readonly alternative?: OtherFile;
  /** The place of the line for `pkce`, as a sentence. Absent: the line is a call, which says so. */
  readonly where?: string;
  /** What else matters for the line, as sentences for a page. */
  readonly note?: string;
  /** What matters for other things than PKCE. A refusal leaves it out. */
  readonly more?: string;
  /** Where the words are from: a file of the package, or its documentation. */
  readonly source: string;
  /** The client sends its secret so, unless it is told otherwise. Absent: in the Authorization header. */
  readonly method?: "client_secret_post";
  /** How its requests without PKCE look. Absent: another library sends the same. */
  readonly requests?: readonly RequestShape[];
  /**
   * The path of its redirect URIs, if no other library uses this path: the server recognises the library by it alone. `*`
   * stands for one segment, which is `ID` in the lines.
   */
  readonly callback?: string;
  /** The settings for this server, as a printed form. Absent: the form `form` has them. */
  readonly settings?: string;
  /** The values stand in the settings without quotes, or the settings have the quotes. */
  readonly isPlain?: true;
  readonly form?: string;
}

/** A row may leave out a title that is the name, `if told`, and an empty list of words. */
export type LibraryRow = Omit<Library, "title" | "pkce" | "words"> & Partial<Library>;

/** The same setting as it stands in another file. */
export interface OtherFile {
  /** The file of the usual line. */
  readonly insteadOf: string;
  readonly file: string;
  readonly line: string;
}

export interface RequestShape {
  /** The names of the usual parameters, in the order in which they are sent. */
  readonly order: string;
  readonly state?: ValueShape;
  readonly nonce?: ValueShape;
  /** The path of the redirect URI. `*` stands for one segment. */
  readonly callback?: string;
}

export type ValueShape = readonly [
  alphabet: "hex" | "letters" | "base64url" | "base64" | "uuid",
  length: number,
];

export type LanguageName =
  | "JavaScript"
  | "Python"
  | "Go"
  | "Java"
  | "Rust"
  | "Ruby"
  | "PHP"
  | "Perl"
  | "C#"
  | "Products";

/** A change as one library writes it. The request looks like one of this library, and nothing proves it. */
export interface LibraryChange {
  readonly title: string;
  /** The version that was read or run. */
  readonly version: string;
  /** The name for `postern print`. */
  readonly name: string;
  /** The line of code or configuration. Absent: the library cannot do it. */
  readonly line?: string;
  /** What the application has already, to which the line is added. Absent: the line stands alone. */
  readonly into?: string;
  /** It is one of several members or arguments, and a comma may follow the last one, too. */
  readonly isMember?: true;
  readonly alternative?: OtherFile;
  /** Where it stands, or what else matters. Backquotes mark code. */
  readonly note?: string;
}

/** What a refusal says about libraries. */
export interface LibraryHelp {
  /** The library that the request looks like. Absent: none, or several. */
  readonly looksLike?: LibraryChange;
  /** The same in one line, for a console. */
  readonly inOneLine?: string;
  /** How that library authenticates. */
  readonly method?: string;
  /** The issuer for whose settings a person asks. */
  readonly issuer: string;
  /** What any library must send. Backquotes mark code. */
  readonly parameters: readonly { readonly request: string; readonly names: string }[];
  readonly languages: readonly {
    readonly language: string;
    readonly libraries: readonly LibraryChange[];
  }[];
}
