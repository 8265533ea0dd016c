import { useState } from 'react';
import { lazyPart } from '../../ui/lazy.tsx';
import type { MoreItem } from './DeskMore.tsx';
import { useFileImport, type TextTarget } from '../file-import/use-file-import.tsx';
import { HELP_KEY, useHelpKey } from '../help/help-key.ts';
import { EmojiDialog } from '../pickers/emoji-part.ts';
import type { Template } from '../templates/built-in.ts';
import { copyForWechat } from '../wechat/copy-article.ts';

const HelpDialog = lazyPart(() => import('../help/HelpDialog.tsx'));
const TemplateDialog = lazyPart(() => import('../templates/TemplateDialog.tsx'));

/**
 * Menu entries for files, templates, help, emoji, and a copy for 公众号 (WeChat), whose code is loaded on
 * first use.
 * @returns menu entries, nodes to render in the editor, attributes for dropping files on it, and a function
 *   that opens the templates
 */
export function useMore({ writer, writing }: TextTarget) {
  const { choose, dropping, parts } = useFileImport({ writer, writing });
  const [shown, setShown] = useState<'help' | 'templates' | 'emoji' | null>(null);
  const close = () => setShown(null);
  useHelpKey(() => setShown('help'));
  const begin = ({ name, content }: Template) => {
    // Runs after the dialog has restored focus.
    requestAnimationFrame(() => {
      if (writer.now().content.trim() === '') writer.put({ content }, `已放入模板「${name}」`);
      else writing?.insert(content.trimEnd());
      writing?.focus();
    });
  };
  const showTemplates = () => setShown('templates');
  const items: MoreItem[] = [
    { text: '模板', run: showTemplates },
    // Opened without focusing the text first: a dialog that restored focus to the text would put the caret at
    // its start.
    { text: '表情', run: () => setShown('emoji') },
    { text: '导入 Markdown', run: choose },
    { text: 'Markdown 写法', keys: HELP_KEY, run: () => setShown('help') },
    { text: '复制到公众号', run: () => void copyForWechat(writer.now().content) },
  ];
  return {
    items,
    dropping,
    showTemplates,
    parts: (
      <>
        {parts}
        {shown === 'help' && <HelpDialog onClose={close} />}
        {shown === 'emoji' && writing && <EmojiDialog writing={writing} onClose={close} />}
        {shown === 'templates' && (
          <TemplateDialog content={writer.now().content} onPick={begin} onClose={close} />
        )}
      </>
    ),
  };
}
