import { island } from '../../ui/island.tsx';
import { signedInOnly } from '../../ui/for-signed-in.tsx';
import { Answered } from '../../ui/form/Answered.tsx';
import { askStart } from './start-state.ts';

/** Link to the page 开始 on the overview while something is left to do. */
export default island(function StartNotice() {
  return <Notice>{''}</Notice>;
});

const Notice = signedInOnly(function Notice() {
  return (
    <Answered ask={askStart}>
      {({ left }) =>
        left.length > 0 && (
          <p className="mt-4">
            <a href="/admin/start" className="button-quiet">
              开始：还有 {left.length} 件事
            </a>
          </p>
        )
      }
    </Answered>
  );
});
