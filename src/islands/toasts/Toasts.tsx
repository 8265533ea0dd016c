import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { $toasts, dismiss, type Toast as Message } from '../../lib/stores/toasts.ts';
import close from '../../icons/x.svg?raw';
import { Icon } from '../ui/Icon.tsx';

/** Maximum toasts shown; older ones are hidden until there is room. */
const MAX_TOASTS = 5;
const manager = Toast.createToastManager();

/** Toasts of the page, `$toasts`. Their timeout pauses while the pointer or focus is on them. */
export default function Toasts() {
  // Runs after the provider's own effects, which subscribe the manager.
  useEffect(followStore, []);
  return (
    <Toast.Provider toastManager={manager} limit={MAX_TOASTS}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label="消息"
          className="fixed z-40 inset-x-5 bottom-[calc(var(--below,0px)+1.25rem)] sm:(left-auto w-90) flex flex-col gap-3 outline-none"
        >
          <Messages />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Messages() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // Errors are announced immediately. Base UI's high-priority toasts hide their buttons from screen
      // readers.
      role={toast.type === 'error' ? 'alert' : 'status'}
      aria-modal={undefined}
      swipeDirection={['down', 'right']}
      className={`toast rounded bg-raised shadow-float border border-solid border-line border-l-4 ${toast.type === 'error' ? 'border-l-vermilion' : 'border-l-indigo'}`}
    >
      <Toast.Content className="flex items-center gap-2 pl-4 pr-1 py-1">
        <Toast.Description className="flex-1 min-w-0 py-2 text-sm leading-relaxed" dir="auto" />
        {toast.actionProps && <Toast.Action className="button-text flex-none text-sm font-600" />}
        <Toast.Close aria-label="关闭" className="icon-button flex-none">
          <Icon svg={close} size={17} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** Syncs the shown toasts with the store until the returned function is called. */
function followStore(): () => void {
  let shown: readonly Message[] = [];
  return $toasts.subscribe((toasts) => {
    for (const { id } of shown) if (!toasts.some((toast) => toast.id === id)) manager.close(String(id));
    for (const toast of toasts) if (!shown.some(({ id }) => id === toast.id)) show(toast);
    shown = toasts;
  });
}

function show({ id, kind, text, lasts, action }: Message): void {
  const run = () => {
    dismiss(id);
    action?.run();
  };
  manager.add({
    id: String(id),
    type: kind,
    description: text,
    timeout: lasts,
    onClose: () => dismiss(id),
    ...(action ? { actionProps: { children: action.text, onClick: run } } : {}),
  });
}
