import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { articleLanguage } from '../../../../../src/islands/editor/writing/markdown-language.ts';
import { renderMarkdown } from '../../../../../src/lib/markdown/render.ts';

function boldOf(source: string): string[] {
  const state = EditorState.create({ doc: source, extensions: articleLanguage });
  const found: string[] = [];
  ensureSyntaxTree(state, source.length)?.iterate({
    enter: ({ name, from, to }) =>
      void (name === 'StrongEmphasis' && found.push(source.slice(from + 2, to - 2))),
  });
  return found;
}

test.each([
  '**“MCP”**server',
  'server**“MCP”**',
  '**注意——**see',
  '**第一·**a',
  '**《书》**server',
  'server**《书》**是',
  '**重点。**接着写',
  '**(MCP)**server',
  'a**"x"**b',
  '他说“**word**”和“**字**”',
])('the editor and the page agree which part of %s is bold', async (source) => {
  const { html } = await renderMarkdown(source);
  expect(boldOf(source)).toEqual(Array.from(html.matchAll(/<strong>(.*?)<\/strong>/g), ([, text]) => text));
});
