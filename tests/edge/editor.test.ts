import '../e2e/editor.test.ts';
