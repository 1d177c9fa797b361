import { type ReactNode, useRef } from 'react';
import { Quiet } from '../shared/buttons';
import { Icon } from '../shared/Icon';

/** The buttons of the header in a menu, for a room that is too narrow for them. */
export function HeaderMenu({ children }: { children: ReactNode }) {
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <Quiet className="more" popoverTarget="header-menu">
        <Icon name="more" />
        <span className="visually-hidden">Menu</span>
      </Quiet>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys fire clicks as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons are what is pressed */}
      <div
        ref={menu}
        id="header-menu"
        className="more-menu"
        popover="auto"
        onClick={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}
