import { X } from "lucide";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { readFieldProblems } from "../api/field-problems.ts";
import type { FieldProblems } from "../api/field-problems.ts";
import type { Question } from "../state/console-context.ts";
import { useAction } from "../state/use-api.ts";
import type { Action } from "../state/use-api.ts";
import { Button, Icon } from "./buttons.tsx";
import type { ButtonProps } from "./buttons.tsx";
import { FailureNote } from "./page.tsx";

/** Opens the browser's modal dialog with its element, and closes it before the element leaves the page. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Otherwise the browser does not return the focus.
    return () => dialog?.close();
  }, []);
  return element;
}

export interface DialogProps {
  readonly title: ComponentChildren;
  /** Called on Escape too. Undefined if only the content may close the dialog. */
  readonly onClose?: (() => void) | undefined;
  /** `palette`: narrow, at the top, without a visible title. */
  readonly kind?: "palette";
  readonly children: ComponentChildren;
}

/** The browser's modal dialog. It keeps the focus inside, and returns it to the element that opened it. */
export function Dialog({ title, onClose, kind, children }: DialogProps) {
  const element = useModal();
  const titleId = useId();
  return (
    <dialog
      ref={element}
      class={kind}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        // Browsers close it on a second Escape, even if the first was prevented.
        if (onClose === undefined) currentTarget.showModal();
        else onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface DrawerProps {
  readonly title: ComponentChildren;
  /** Beside the close button. */
  readonly actions?: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog at the right edge. The list behind it stays where it is. */
export function Drawer({ title, actions, onClose, children }: DrawerProps) {
  const element = useModal();
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // Otherwise the browser focuses the first button.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <dialog
      ref={element}
      class="drawer"
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) onClose();
      }}
      onClick={({ target, currentTarget }) => {
        // A click on the backdrop has the dialog itself as its target.
        if (target === currentTarget) onClose();
      }}
    >
      <div class="drawer-content">
        <header>
          <h2 ref={heading} id={titleId} tabIndex={-1}>
            {title}
          </h2>
          {actions}
          <button type="button" class="button icon-only" aria-label="Close" onClick={onClose}>
            <Icon of={X} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

export interface ConfirmDialogProps extends Omit<Question, "text"> {
  /** The consequences of the action. */
  readonly children: ComponentChildren;
  /** True if something must be entered first. */
  readonly disabled?: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  kind,
  disabled = false,
  onConfirm,
  onDone,
  onClose,
}: ConfirmDialogProps) {
  const action = useAction();
  const go = async (): Promise<void> => {
    if (!(await action.run(onConfirm))) return;
    onClose();
    onDone?.();
  };
  return (
    // It stays open until the response arrives, because it shows the error.
    <Dialog title={title} onClose={action.busy ? undefined : onClose}>
      {children}
      <FailureNote failure={action.failure} />
      <div class="actions end">
        <Button busy={action.busy} onClick={onClose}>
          Cancel
        </Button>
        <Button kind={kind} busy={action.busy} disabled={disabled} onClick={go}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}

export interface FormProps {
  /** The name of the form, unless it is in a dialog, which has one. */
  readonly label?: string;
  /** The form's labels of the API's fields: `{ target_url: "URL" }`. */
  readonly labels: Readonly<Record<string, string>>;
  /** The values of the API's fields. The problem of a field disappears when its value changes. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The label of the submit button, a verb. */
  readonly submit: string;
  /** @default "primary" */
  readonly kind?: ButtonProps["kind"];
  /** The right that the submit button needs, as {@link ButtonProps} has it. @default true */
  readonly changes?: ButtonProps["changes"];
  /** True if the form cannot be submitted as it is. */
  readonly disabled?: boolean;
  /** The form shows the errors of the API that it throws. */
  readonly onSubmit: () => Promise<void>;
  /** Renders the fields, each with its problem. */
  readonly children: (problemAt: FieldProblems["at"]) => ComponentChildren;
}

/** A form shows the problems of fields at the fields, and moves the focus to the first of them. */
export function Form({
  label,
  labels,
  values = {},
  submit,
  kind = "primary",
  changes = true,
  disabled = false,
  action,
  cancel,
  onSubmit,
  children,
}: FormProps & { readonly action: Action; readonly cancel: ComponentChildren }) {
  const form = useRef<HTMLFormElement>(null);
  const [submitted, setSubmitted] = useState(values);
  const problems = readFieldProblems(action.failure, labels);
  const problemAt = (path: string): string | undefined => {
    const [field = ""] = path.split(".");
    return values[field] === submitted[field] ? problems.at(path) : undefined;
  };
  useLayoutEffect(() => {
    if (action.failure === undefined) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], fieldset:has(> .problem)")?.focus();
  }, [action.failure]);
  return (
    <form
      ref={form}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(values);
        void action.run(onSubmit);
      }}
    >
      <FailureNote failure={problems.rest} />
      {children(problemAt)}
      <div class="actions end">
        {cancel}
        <Button changes={changes} kind={kind} type="submit" busy={action.busy} disabled={disabled}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

export interface FormDialogProps extends Omit<FormProps, "label"> {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
}

/** A form in a dialog. `onSubmit` closes the dialog itself after success. */
export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  const action = useAction();
  return (
    // It stays open until the response arrives, because it shows the error.
    <Dialog title={title} onClose={action.busy ? undefined : onClose}>
      <Form
        {...form}
        action={action}
        cancel={
          <Button disabled={action.busy} onClick={onClose}>
            Cancel
          </Button>
        }
      />
    </Dialog>
  );
}
