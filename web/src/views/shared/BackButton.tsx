import { Quiet } from './buttons';
import { useViews } from './contexts';

/** Leads from a view over the picture back to it. `more`: the end of the hint. */
export function BackButton({ more = '' }: { more?: string }) {
  const { closeFull } = useViews();
  return (
    <Quiet className="back" onClick={closeFull} title={`Back to the picture (Esc)${more}`}>
      <span aria-hidden="true">←</span> Lab
    </Quiet>
  );
}
