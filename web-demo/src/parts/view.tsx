import type { ReactNode } from 'react';
import { Examples } from './choice';
import { CopyLink } from './copy';
import { Notice } from './notice';

/** A view that one types in: what it is for, examples to begin with, and its link. */
export function View<S>({ title, lead, examples, onChoose, linkFault, children }: {
  title: string;
  lead: string;
  examples: readonly (readonly [string, S])[];
  onChoose: (state: S) => void;
  linkFault: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="work">
      <header className="view-head">
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        <div className="actions">
          <Examples examples={examples} onChoose={onChoose} />
          <CopyLink />
        </div>
      </header>
      {linkFault && <Notice kind="warning">{linkFault}</Notice>}
      {children}
    </div>
  );
}
