/** Chinese translations of CodeMirror's phrases. */
export const phrases = {
  // @codemirror/search
  close: '关闭',
  'current match': '当前匹配',
  'replaced $ matches': '替换了 $ 处',
  'replaced match on line $': '替换了第 $ 行的一处',
  'on line': '位于第',
  'Go to line': '转到行',
  go: '转到',
  // @codemirror/view, /state, /commands
  'Control character': '控制字符',
  'Selection deleted': '已删除所选',
  // @codemirror/autocomplete
  Completions: '可以插入的',
};
