import { loadJieba } from '../../text/jieba.ts';

export async function loadCutter(): Promise<(text: string) => string[]> {
  const jieba = await loadJieba();
  return (text) => jieba.cutForSearch(text, true);
}
