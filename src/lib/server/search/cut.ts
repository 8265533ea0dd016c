import { loadJieba } from '../jieba.ts';

/** Loads the Chinese dictionary; returns a function that cuts a text into words and parts of long words. */
export async function loadCutter(): Promise<(text: string) => string[]> {
  const jieba = await loadJieba();
  return (text) => jieba.cutForSearch(text, true);
}
