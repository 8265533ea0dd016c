import check from '../../../icons/check.svg?raw';
import type { StartStep } from '../../../lib/contract/rules/start-steps.ts';
import { call } from '../../../lib/stores/api.ts';
import { QuietButton } from '../../ui/Button.tsx';
import { Action } from '../../ui/Action.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { consoleAnswer } from '../console-answer.tsx';
import { askStart, STEP_PLACES, type StartState } from './start-state.ts';

/** What is left to do after set-up. */
export default consoleAnswer(askStart, (state, reload) => <Steps state={state} reload={reload} />);

function Steps({ state: { steps, skipped, left }, reload }: { state: StartState; reload(): void }) {
  const [isBusy, once] = useOnce();
  const skip = (more: readonly StartStep[]) =>
    once(async () => {
      const start_skipped = [...new Set([...skipped, ...more])];
      // A failure is shown as a toast; the list then shows what is stored.
      await call('siteOptionsChange', { start_skipped }).catch(() => null);
      reload();
    });
  return (
    <div className="pb-16">
      <output className="block mt-4">
        {left.length === 0
          ? '都安排好了。以后在「设置」里随时可以改。'
          : `网站已经可以用了，还有 ${left.length} 件事。`}
      </output>
      <ul role="list" className="mt-4">
        {steps.map(({ step, text, isDone, isSkipped }) => {
          const { href, hint } = STEP_PLACES[step];
          const isOver = isDone || isSkipped;
          return (
            <li key={step} className="hairline flex gap-3 py-3">
              <span
                className={`flex-none grid place-items-center w-6 h-11 ${isDone ? 'text-indigo' : 'text-soft'}`}
              >
                {isDone ? (
                  <Icon svg={check} size={18} />
                ) : (
                  <span className="w-3 h-3 border border-solid border-edge rounded-full" />
                )}
              </span>
              <div className="flex-1 min-w-0">
                <a href={href} className="quiet-link inline-flex items-center min-h-11">
                  {text}
                  <span className="ml-2 text-sm text-soft">
                    {isDone ? '已完成' : isSkipped ? '已跳过' : ''}
                  </span>
                </a>
                {!isOver && <p className="text-sm text-soft">{hint}</p>}
              </div>
              {!isOver && (
                <span className="flex-none text-sm">
                  <Action label={`跳过：${text}`} onClick={() => void skip([step])}>
                    跳过
                  </Action>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p className="hairline pt-4 flex flex-wrap gap-3">
        <a href="/admin" className="button-quiet">
          概览
        </a>
        {left.length > 0 && (
          <QuietButton aria-disabled={isBusy} onClick={() => void skip(left.map(({ step }) => step))}>
            其余都跳过，不再提醒
          </QuietButton>
        )}
      </p>
    </div>
  );
}
