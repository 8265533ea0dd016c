import type { Extension as FromMarkdownExtension } from 'mdast-util-from-markdown';
import type { Node } from 'mdast';
import type { Code, Effects, State, Tokenizer } from 'micromark-util-types';

/**
 * Parses VuePress's `::: tip 标题` … `:::`. remark-directive does not fit: it requires brackets around the
 * title, and parses `a:b` and `::c` in running text.
 */

export interface CalloutFence extends Node {
  type: 'calloutFence';
  value: string;
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    calloutFence: 'calloutFence';
  }
}

declare module 'mdast' {
  interface RootContentMap {
    calloutFence: CalloutFence;
  }
}

const COLON = 58;
const OPEN_BRACKET = 91;

const isLineEnd = (code: Code): boolean => code === null || code < -2;
const isSpace = (code: Code): boolean => code === -2 || code === -1 || code === 32;
const isNameCharacter = (code: Code): boolean =>
  code !== null && code > 0 && /[\w-]/.test(String.fromCharCode(code));

/**
 * Syntax extension: a line of three or more colons, alone or followed by a name that `isKnown` accepts, is a
 * fence. `isKnown` receives the name in lower case.
 */
export function calloutSyntax(isKnown: (name: string) => boolean) {
  const tokenize: Tokenizer = (effects, ok, nok) => fenceTokenizer(effects, ok, nok, isKnown);
  return { flow: { [COLON]: { name: 'calloutFence', tokenize } } };
}

function fenceTokenizer(effects: Effects, ok: State, nok: State, isKnown: (name: string) => boolean): State {
  let colons = 0;
  let name = '';

  function start(code: Code): State | undefined {
    effects.enter('calloutFence');
    return fence(code);
  }

  function fence(code: Code): State | undefined {
    if (code === COLON) {
      colons += 1;
      effects.consume(code);
      return fence;
    }
    return colons < 3 ? nok(code) : beforeName(code);
  }

  function beforeName(code: Code): State | undefined {
    if (isSpace(code)) {
      effects.consume(code);
      return beforeName;
    }
    return isLineEnd(code) ? end(code) : inName(code);
  }

  function inName(code: Code): State | undefined {
    if (isNameCharacter(code)) {
      name += String.fromCharCode(code as number);
      effects.consume(code);
      return inName;
    }
    const isEnd = isLineEnd(code) || isSpace(code) || code === OPEN_BRACKET;
    return isEnd && isKnown(name.toLowerCase()) ? title(code) : nok(code);
  }

  function title(code: Code): State | undefined {
    if (isLineEnd(code)) return end(code);
    effects.consume(code);
    return title;
  }

  function end(code: Code): State | undefined {
    effects.exit('calloutFence');
    return ok(code);
  }

  return start;
}

export const calloutFromMarkdown: FromMarkdownExtension = {
  enter: {
    calloutFence(token) {
      this.enter({ type: 'calloutFence', value: this.sliceSerialize(token) }, token);
    },
  },
  exit: {
    calloutFence(token) {
      this.exit(token);
    },
  },
};
