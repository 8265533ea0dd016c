import { parentPort } from 'node:worker_threads';
import { Jieba, TfIdf } from '@node-rs/jieba';
import { dict, idf } from '@node-rs/jieba/dict.js';
import { keywordsOf, type ReadText } from './keywords.ts';

const parts = { jieba: Jieba.withDict(dict), tfIdf: TfIdf.withDict(idf) };

parentPort?.on('message', (article: ReadText) => parentPort?.postMessage(keywordsOf(article, parts)));
