import { Toolbar as Base } from '@base-ui/react/toolbar';
import { Tooltip } from '@base-ui/react/tooltip';
import { Fragment, type ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { EditorIcon } from './icons.ts';
import { keyText } from './keys.ts';
import type { CommandName } from '../commands/commands.ts';
import type { Writing } from './writing.ts';

interface Tool {
  command: CommandName;
  name: string;
  icon: EditorIcon;
  /** Shortcut in CodeMirror's notation. */
  keys?: string;
}

const groups: Tool[][] = [
  [
    { command: 'undo', name: '撤销', icon: 'undo', keys: 'Mod-z' },
    { command: 'redo', name: '重做', icon: 'redo', keys: 'Mod-Shift-z' },
  ],
  [
    { command: 'heading', name: '标题级别', icon: 'heading', keys: 'Mod-Alt-h' },
    { command: 'bold', name: '加粗', icon: 'bold', keys: 'Mod-b' },
    { command: 'emphasis', name: '着重', icon: 'emphasis', keys: 'Mod-i' },
    { command: 'strike', name: '删除线', icon: 'strike', keys: 'Mod-Shift-x' },
    { command: 'link', name: '链接', icon: 'link', keys: 'Mod-k' },
    { command: 'picture', name: '图片', icon: 'picture' },
  ],
  [
    { command: 'quote', name: '引用', icon: 'quote', keys: 'Mod-Shift-9' },
    { command: 'bullet', name: '列表', icon: 'bullet', keys: 'Mod-Shift-8' },
    { command: 'number', name: '编号列表', icon: 'number', keys: 'Mod-Shift-7' },
    { command: 'task', name: '任务列表', icon: 'task' },
  ],
  [
    { command: 'code', name: '行内代码', icon: 'code', keys: 'Mod-e' },
    { command: 'codeBlock', name: '代码块', icon: 'codeBlock' },
    { command: 'table', name: '表格', icon: 'table' },
    { command: 'rule', name: '分隔线', icon: 'rule' },
    { command: 'fold', name: '阅读全文线', icon: 'fold' },
  ],
];

export const TOOLS: readonly Tool[] = groups.flat();

interface Props {
  /** Null until CodeMirror has loaded. Buttons are disabled until then. */
  writing: Writing | null;
  isHidden: boolean;
  children?: ReactNode;
}

/** Formatting buttons. The toolbar is one tab stop; arrow keys move between its buttons. */
export function Toolbar({ writing, isHidden, children }: Props) {
  return (
    <Tooltip.Provider delay={500}>
      <Base.Root aria-label="排版" className="toolbar" hidden={isHidden}>
        <div className="toolbar-tools">
          {groups.map((tools, index) => (
            <Fragment key={tools[0]?.command}>
              {index > 0 && <Base.Separator className="toolbar-gap" />}
              {tools.map((tool) => (
                <ToolButton
                  key={tool.command}
                  {...tool}
                  isOff={!writing}
                  onPress={() => writing?.run(tool.command)}
                />
              ))}
            </Fragment>
          ))}
        </div>
        {children}
      </Base.Root>
    </Tooltip.Provider>
  );
}

interface ToolButtonProps {
  name: string;
  icon: EditorIcon;
  keys?: string | undefined;
  isOff?: boolean;
  isPressed?: boolean;
  onPress(): void;
}

export function ToolButton({ name, icon, keys, isOff = false, isPressed, onPress }: ToolButtonProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        render={
          <Base.Button
            disabled={isOff}
            aria-label={name}
            aria-pressed={isPressed}
            className="tool"
            // Keeps the caret, and the keyboard of a phone open.
            onMouseDown={(event) => event.preventDefault()}
            onClick={onPress}
          />
        }
      >
        <Icon name={icon} />
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-40">
          <Tooltip.Popup className="px-[0.7rem] py-[0.2rem] rounded bg-ink text-paper text-[0.8125rem]">
            {name}
            {keys && <kbd className="ml-2 font-sans opacity-70">{keyText(keys)}</kbd>}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
