//! A verb with its other names, its completions, and what begins or answers it.

use super::typing::{Offer, Typing};
use super::verb::Verb;

/// One command; `Start` is a function, another one for each table of commands.
pub(crate) struct Command<Start> {
    /// How it is written and explained.
    pub(crate) verb: Verb,
    /// Other names, and completion.
    pub(crate) typing: Typing,
    /// Begins or answers it.
    pub(crate) start: Start,
}

impl<Start: Copy> Command<Start> {
    /// A command of one name, with nothing to complete but options.
    pub(crate) const fn new(verb: Verb, start: Start) -> Self {
        Self { verb, typing: Typing::NONE, start }
    }

    /// The same with other names that work.
    pub(crate) const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.typing.aliases = aliases;
        self
    }

    /// The same with words of other programs that do not work.
    pub(crate) const fn synonyms(mut self, synonyms: &'static [&'static str]) -> Self {
        self.typing.synonyms = synonyms;
        self
    }

    /// The same with what completion offers.
    pub(crate) const fn offers(mut self, offers: &'static [Offer]) -> Self {
        self.typing.offers = offers;
        self
    }
}

/// The one of `commands` whose verb is `name`, in any case, or has it as an alias.
pub(crate) fn find<Start>(
    mut commands: impl Iterator<Item = &'static Command<Start>>,
    name: &str,
) -> Option<&'static Command<Start>> {
    let name = name.to_ascii_lowercase();
    commands.find(|command| command.verb.name == name || command.typing.aliases.contains(&&*name))
}

/// The verb that does what `text` does in other programs.
pub(crate) fn synonym<Start: 'static>(
    mut commands: impl Iterator<Item = &'static Command<Start>>,
    text: &str,
) -> Option<&'static str> {
    let command = commands.find(|command| command.typing.synonyms.contains(&text))?;
    Some(command.verb.name)
}
