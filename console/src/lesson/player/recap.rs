//! One question of a lesson, asked again later and without its scene: recalling helps more than reading once more.

use super::{Origin, Player};
use crate::lesson::What;
use crate::lesson::run::acts::Act;
use crate::output::Failure;
use crate::text;

impl Player {
    /// Asks the question called `name` of the lesson of `library` with this id.
    pub(in crate::lesson) fn recap(
        library: &[&str],
        id: &str,
        name: &str,
    ) -> Result<Self, Failure> {
        let mut player = Self::find(library, id)?;
        let asks =
            player.lesson.items().enumerate().filter_map(|(number, item)| match &item.what {
                What::Ask(ask) => Some((number, ask.name.as_str())),
                _ => None,
            });
        let asks: Vec<(usize, &str)> = asks.collect();
        let Some((item, _)) = asks.iter().copied().find(|(_, known)| *known == name) else {
            let names: Vec<&str> = asks.iter().map(|(_, name)| *name).collect();
            let name = text::short_word(name.as_bytes(), 32);
            let failure = Failure::usage(format!("the lesson has no question {name}"));
            return Err(failure.hint(format!("there are: {}", names.join(", "))));
        };
        let at = player.acts.iter().position(|act| matches!(act, Act::Ask(of) if *of == item));
        player.origin = Origin::Recap(item);
        player.go_to(at.unwrap_or(0));
        Ok(player)
    }

    /// Whether the engine has answered the question that is asked again.
    pub(super) fn has_recapped(&self) -> bool {
        let Origin::Recap(item) = self.origin else { return false };
        self.asked.get(&item).is_some_and(|asked| asked.reveal.is_some())
    }

    /// Whether `act` belongs to the lesson around the question that is asked again.
    pub(super) fn leaves_out(&self, act: Option<&Act>) -> bool {
        let Origin::Recap(item) = self.origin else { return false };
        act.is_none_or(|act| act.item() != item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::LIBRARY;

    #[test]
    fn an_unknown_question_is_refused_with_those_that_there_are() {
        let failure =
            Player::recap(LIBRARY, "deleting", "sice").map(|_| ()).expect_err("there is none");
        assert_eq!(failure.message, "the lesson has no question sice");
        assert!(failure.hint.is_some_and(|hint| hint.starts_with("there are: ")));
        assert!(Player::recap(LIBRARY, "nothing", "size").is_err());
    }
}
