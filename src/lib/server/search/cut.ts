import { loadJieba } from '../jieba.ts';

/** Loads the Chinese dictionary; returns what cuts a text into words, and long ones' parts. */
export async function loadCutter(): Promise<(text: string) => string[]> {
  const jieba = await loadJieba();
  return (text) => jieba.cutForSearch(text, true);
}
