/** A phrase that engineers rarely write, with the standard words to use instead. */
export interface OddPhrase {
  pattern: RegExp;
  instead: string;
}

const OWNERS = "its|their|our|one[’']s|her|his";

/** All patterns of `plain-english.test.ts`. A match is a candidate, so the test limits the rate only. */
export const ODD_PHRASES: readonly OddPhrase[] = [
  { pattern: /\b(?:whoever|whomever|whichever|somebody|nobody)\b/gi, instead: 'the role, "no one"' },
  { pattern: /\banew\b/gi, instead: 'again, rebuilds, recomputes' },
  { pattern: /\bbeside\b/gi, instead: 'next to, in parallel with, compared with' },
  { pattern: /\b(?:is|are|was|were|be) none\b/gi, instead: 'there is no' },
  { pattern: new RegExp(`\\bof (?:(?:${OWNERS}) own|ours|theirs)\\b`, 'gi'), instead: 'its own X, our X' },
  {
    pattern: /\b(?:is|are) (?:told|said|named|asked|known|given) (?:once|twice|here|by|of)\b/gi,
    instead: 'defined once, documented here, reported by',
  },
  {
    pattern: /(?:^|[.:;(])[ \t]*(?:What (?!if\b|about\b)|Who |Where |As many )[a-z][^.?\n]*/gm,
    instead: 'a noun or a verb first: "Fields of", "Returns"',
  },
  { pattern: /(?:^|[.:;])[ \t]*Of (?:a|an|the|each|every|all|those|what)\b/gm, instead: 'subject first' },
  { pattern: /\bas (?:many|much|long|large|often|old) (?:as|of)\b/gi, instead: 'at most N, until, up to' },
  { pattern: /\bso that (?:it|they|what|no|nothing|nobody)\b/gi, instead: 'so, to' },
  {
    pattern:
      /\b(?:lies|stands?|comes?|goe?s?) (?:in|on|at|from|before|behind|beside|round|by|with|alone)\b/gi,
    instead: 'is in, is stored in, precedes, arrives',
  },
  {
    pattern: /\b(?:leads?|leading|brings?|brought) (?:to|in|on|old|former|back|along|over)\b/gi,
    instead: 'redirects, imports, restores',
  },
  {
    pattern: /\btak(?:en|es?) (?:away|off|over|for)\b|\bgive[ns]? (?:up|out|back)\b|\bputs? off\b/gi,
    instead: 'removes, aborts, releases, defers',
  },
  { pattern: /\b(?:those|that) (?:of|whose|which) (?:a|an|the|others|another)\b/gi, instead: 'the noun' },
  { pattern: /\bof no (?:use|more)\b|\bno more of\b|\bnot any more\b/gi, instead: 'unused, no longer' },
];
