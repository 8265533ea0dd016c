import { useState, type SubmitEvent } from 'react';
import { parseJson } from '../../../lib/client/answer.ts';
import { onDevice, readStored, store } from '../../../lib/client/stored.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../writing/Icon.tsx';
import { BUILT_IN, type Template } from './built-in.ts';

const KEY = 'templates';
/** Maximum templates. Together they stay far below a browser's storage quota. */
const MAX_TEMPLATES = 20;
const MAX_TEMPLATE_CHARACTERS = 50_000;

/** Returns the author's templates, newest first. They are stored on this device. */
function ownTemplates(): Template[] {
  const stored = parseJson(readStored(onDevice, KEY) ?? '');
  return Array.isArray(stored) ? stored.filter(isTemplate).slice(0, MAX_TEMPLATES) : [];
}

/** Saves a template and replaces one of the same name. @returns why it was not saved, or null */
function keepTemplate({ name, content }: Template): string | null {
  const others = ownTemplates().filter((each) => each.name !== name);
  if (content.length > MAX_TEMPLATE_CHARACTERS)
    return `模板不能超过 ${MAX_TEMPLATE_CHARACTERS.toLocaleString('zh-CN')} 字`;
  if (others.length >= MAX_TEMPLATES) return `最多存 ${MAX_TEMPLATES} 个模板，先删掉不用的`;
  return write([{ name, content }, ...others]);
}

/** Deletes a template. @returns why that failed, or null */
const dropTemplate = (name: string): string | null =>
  write(ownTemplates().filter((each) => each.name !== name));

const write = (templates: readonly Template[]): string | null =>
  store(onDevice, KEY, JSON.stringify(templates)) ? null : '浏览器不让这里存东西，可能是空间满了或在无痕模式';

const isTemplate = (value: unknown): value is Template =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Template>).name === 'string' &&
  typeof (value as Partial<Template>).content === 'string';

interface Props {
  content: string;
  onPick(template: Template): void;
  onClose(): void;
}

const MAX_NAME_CHARACTERS = 20;

export default function TemplateDialog({ content, onPick, onClose }: Props) {
  const [own, setOwn] = useState(ownTemplates);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const isEmpty = content.trim() === '';
  const after = (reason: string | null) => {
    setProblem(reason ?? '');
    setOwn(ownTemplates());
    return reason === null;
  };
  const keep = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '') return setProblem('给模板起个名字');
    if (after(keepTemplate({ name: wanted, content }))) setName('');
  };
  const pick = (template: Template) => {
    onClose();
    onPick(template);
  };
  const row = (template: Template) => (
    <button
      type="button"
      className="flex-1 min-w-0 min-h-11 px-0 border-0 bg-transparent text-start cursor-pointer hover:text-indigo"
      onClick={() => pick(template)}
    >
      <bdi className="block truncate">{template.name}</bdi>
    </button>
  );
  return (
    <Dialog title="模板" isOpen onClose={onClose}>
      <p className="mt-2 text-sm text-soft">
        {isEmpty ? '选一个开头，写着写着就有了。' : '选中的模板会放在光标处，已写的字不动。'}
      </p>
      <ul role="list" className="mt-3 m-0 p-0 list-none">
        {BUILT_IN.map((template) => (
          <li key={template.name} className="hairline flex">
            {row(template)}
          </li>
        ))}
        {own.map((template) => (
          <li key={`own ${template.name}`} className="hairline flex items-center">
            {row(template)}
            <span className="badge mr-2">我的</span>
            <button
              type="button"
              className="action-danger"
              aria-label={`删除模板 ${template.name}`}
              onClick={() => after(dropTemplate(template.name))}
            >
              <Icon name="remove" />
            </button>
          </li>
        ))}
      </ul>
      {!isEmpty && (
        <form className="hairline mt-3 pt-4 flex flex-wrap gap-3" noValidate onSubmit={keep}>
          <input
            className="field flex-1 min-w-40"
            aria-label="模板的名字"
            placeholder="把现在的正文存成模板"
            maxLength={MAX_NAME_CHARACTERS}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <button type="submit" className="button-quiet">
            存成模板
          </button>
          <p className="w-full text-sm text-soft">只存在这台设备上。</p>
        </form>
      )}
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
    </Dialog>
  );
}
