interface Tool {
  /** Also the name of its icon. */
  command: string;
  name: string;
  /** Shortcut in CodeMirror's notation. */
  keys?: string;
}

/** Formatting tools, in the order of the toolbar. */
export const TOOL_GROUPS = [
  [
    { command: 'undo', name: '撤销', keys: 'Mod-z' },
    { command: 'redo', name: '重做', keys: 'Mod-Shift-z' },
  ],
  [
    { command: 'heading', name: '标题级别', keys: 'Mod-Alt-h' },
    { command: 'bold', name: '加粗', keys: 'Mod-b' },
    { command: 'emphasis', name: '着重', keys: 'Mod-i' },
    { command: 'strike', name: '删除线', keys: 'Mod-Shift-x' },
    { command: 'link', name: '链接', keys: 'Mod-k' },
    { command: 'picture', name: '图片' },
  ],
  [
    { command: 'quote', name: '引用', keys: 'Mod-Shift-9' },
    { command: 'bullet', name: '列表', keys: 'Mod-Shift-8' },
    { command: 'number', name: '编号列表', keys: 'Mod-Shift-7' },
    { command: 'task', name: '任务列表' },
  ],
  [
    { command: 'code', name: '行内代码', keys: 'Mod-e' },
    { command: 'codeBlock', name: '代码块' },
    { command: 'table', name: '表格' },
    { command: 'rule', name: '分隔线' },
    { command: 'fold', name: '阅读全文线' },
  ],
] as const satisfies readonly (readonly Tool[])[];

export type CommandName = (typeof TOOL_GROUPS)[number][number]['command'];

export const TOOLS: readonly (Tool & { command: CommandName })[] = TOOL_GROUPS.flat();
