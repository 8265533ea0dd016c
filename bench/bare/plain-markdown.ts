import { plainMarkdown, readArticles } from '../plain-markdown.ts';

/** Renders the articles of a folder once, without this project's code: the baseline of an import. */
for (const source of readArticles(process.argv[2] ?? '')) await plainMarkdown.process(source);
